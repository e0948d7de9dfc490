package io.bivouac.runtimes.bubblewrap.linux;

/** Error numbers in words, for those that a person is likely to meet here. */
final class Errno {
    private Errno() {}

    static String describe(int number) {
        return switch (number) {
            case 1 -> "operation not permitted";
            case 2 -> "no such file or folder";
            case 8 -> "not an executable of this machine";
            case 11 -> "too many processes";
            case 12 -> "out of memory";
            case 13 -> "permission denied";
            case 16 -> "busy";
            case 20 -> "not a folder";
            case 24 -> "too many open files";
            case 28 -> "no space left";
            case 40 -> "a link where none may be";
            default -> "error " + number;
        };
    }
}

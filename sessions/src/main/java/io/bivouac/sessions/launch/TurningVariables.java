package io.bivouac.sessions.launch;

import java.util.regex.Pattern;

/** Variables that turn a program into another one, or have it do what another one says. No rule can allow them. */
public final class TurningVariables {
    private static final Pattern ALL = Pattern.compile(
            "PATH|LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|BASH_ENV|BASH_FUNC_.*|ENV|SHELL|SHELLOPTS|BASHOPTS|IFS"
                    + "|PS4|PROMPT_COMMAND|NODE_.*|BUN_.*|NPM_CONFIG_.*|PYTHON.*|PERL5.*|RUBY.*|JAVA_TOOL_OPTIONS"
                    + "|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|GIT_.*|SSL_CERT_.*|.*_PROXY",
            Pattern.CASE_INSENSITIVE);

    private TurningVariables() {}

    public static boolean include(String name) {
        return ALL.matcher(name).matches();
    }
}

package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A message's bytes where they lie, without a copy; nobody may write to them. */
record Bytes(byte[] array, int offset, int length) {
    static Bytes of(ByteString data) {
        var capture = new Capture();
        try {
            UnsafeByteOperations.unsafeWriteTo(data, capture);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        // A string in several parts cannot be shown in place.
        return capture.parts == 1 ? capture.bytes : of(data.toByteArray());
    }

    static Bytes of(byte[] array) {
        return new Bytes(array, 0, array.length);
    }

    int end() {
        return offset + length;
    }

    private static final class Capture extends ByteOutput {
        private Bytes bytes;
        private int parts;

        @Override
        public void write(byte value) {
            parts = 2;
        }

        @Override
        public void write(byte[] value, int offset, int length) {
            writeLazy(value, offset, length);
        }

        @Override
        public void writeLazy(byte[] value, int offset, int length) {
            bytes = new Bytes(value, offset, length);
            parts++;
        }

        @Override
        public void write(ByteBuffer value) {
            parts = 2;
        }

        @Override
        public void writeLazy(ByteBuffer value) {
            parts = 2;
        }
    }
}

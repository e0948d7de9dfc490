package io.bivouac.terminalrelay.recording;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** A piece of a recording. */
@MappedEntity("recording_parts")
record RecordingPart(@Id String terminalId, int part, byte[] data) {}

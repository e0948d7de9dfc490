-- Null: the installation's default, as its settings have it when it is asked for.
ALTER TABLE projects
    ADD COLUMN terminal_limit     integer          CHECK (terminal_limit >= 0),
    ADD COLUMN event_stream_limit integer          CHECK (event_stream_limit >= 0),
    ADD COLUMN cpu_limit          double precision CHECK (cpu_limit >= 0),
    ADD COLUMN memory_limit       bigint           CHECK (memory_limit >= 0),
    ADD COLUMN disk_limit         bigint           CHECK (disk_limit >= 0);

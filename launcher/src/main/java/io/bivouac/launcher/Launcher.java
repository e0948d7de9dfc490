package io.bivouac.launcher;

import io.bivouac.embedded.EmbeddedStackException;
import io.bivouac.sandboxes.template.build.BuildFailed;
import java.util.HashMap;
import java.util.List;

/** The program: reads what is asked for, and starts the server or says in one line why not. */
public final class Launcher {
    private static final int REFUSED = 1;
    private static final int WRONG_USAGE = 2;

    private Launcher() {}

    public static void main(String[] arguments) {
        var progress = Progress.toStandardOutput();
        switch (CommandLine.parse(List.of(arguments))) {
            case CommandLine.Help help -> progress.say(CommandLine.HELP.strip());
            case CommandLine.Version version -> progress.say("bivouac-server " + ProgramVersion.current());
            case CommandLine.Wrong wrong -> {
                progress.refuse(wrong.message());
                System.exit(WRONG_USAGE);
            }
            case CommandLine.Doctor doctor -> examine(doctor, progress);
            case CommandLine.Template template -> templates(template, progress);
            case CommandLine.Start start -> start(start, progress);
        }
    }

    private static void examine(CommandLine.Doctor doctor, Progress progress) {
        try {
            var settings = LauncherSettings.from(SettingSource.of(System.getenv(), doctor.config()));
            System.exit(new OfflineDoctor(settings, progress).run(doctor.json()) ? 0 : REFUSED);
        } catch (StartRefused refused) {
            progress.refuse(refused.getMessage());
            System.exit(REFUSED);
        }
    }

    private static void templates(CommandLine.Template command, Progress progress) {
        try {
            var settings = LauncherSettings.from(SettingSource.of(System.getenv(), command.config()));
            new TemplateCommand(settings, progress, command).run();
        } catch (StartRefused | BuildFailed refused) {
            progress.refuse(refused.getMessage());
            System.exit(REFUSED);
        }
    }

    private static void start(CommandLine.Start start, Progress progress) {
        try {
            SettingSlips.in(System.getenv()).forEach(slip -> progress.say(slip));
            var environment = new HashMap<>(System.getenv());
            start.services().ifPresent(list -> environment.put(Services.SETTING, list));
            var settings = LauncherSettings.from(SettingSource.of(environment, start.config()));
            new ServerStart(settings, progress).run();
        } catch (StartRefused | EmbeddedStackException refused) {
            progress.refuse(refused.getMessage());
            System.exit(REFUSED);
        }
    }
}

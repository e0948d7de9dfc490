//! Which program a terminal starts when none is named, and whether one that is named is a shell.
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const SHELLS: [&str; 9] = [
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "nu",
];
/// Shells of accounts that nobody should log in to.
const NO_LOGIN: [&str; 2] = ["nologin", "false"];

/// The first of the user's own shell, bash and sh that is there.
pub fn find(own: Option<&str>, path: &str) -> Option<String> {
    let own = own.filter(|shell| shell.starts_with('/') && !NO_LOGIN.contains(&name(shell)));
    let searched = ["bash", "sh"].into_iter().flat_map(|shell| {
        let folders = path.split(':').filter(|folder| folder.starts_with('/'));
        folders.map(move |folder| format!("{folder}/{shell}"))
    });
    own.map(str::to_owned)
        .into_iter()
        .chain(searched)
        .find(|shell| is_executable(shell))
}

/// As login(1) does it: a dash before the name.
pub fn login_name(shell: &str) -> String {
    format!("-{}", name(shell))
}

/// A shell that waits for what is typed, rather than one that runs a script.
pub fn is_interactive(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    SHELLS.contains(&name(program).trim_start_matches('-'))
        && arguments.iter().all(|argument| argument.starts_with('-'))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_executable(path: &str) -> bool {
    let metadata = Path::new(path).metadata();
    metadata.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_shell_comes_first_if_it_is_one() {
        let path = "relative:/nowhere:/usr/bin:/bin";
        assert_eq!(find(Some("/bin/sh"), path).unwrap(), "/bin/sh");
        for odd in [
            None,
            Some("/no/such"),
            Some("/usr/sbin/nologin"),
            Some("sh"),
        ] {
            let found = find(odd, path).unwrap();
            assert!(found.ends_with("/bash"), "{found}");
        }
        assert_eq!(find(None, "/nowhere"), None);
    }

    #[test]
    fn a_script_is_work_and_a_prompt_is_not() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(is_interactive(&words("/bin/bash -l")));
        assert!(is_interactive(&words("-zsh")));
        assert!(!is_interactive(&words("bash build.sh")));
        assert!(!is_interactive(&words("sh -c top")));
        assert!(!is_interactive(&words("vim")));
    }
}

//! How a Solid server names a Pod's resources as files, and which of them a session never sees.

/// What a server keeps beside a resource: who may use it, and what is known about it. Changing an ACL is a
/// right of its own (acl:Control), which no session has.
const AUXILIARY: [&str; 3] = [".acl", ".acr", ".meta"];

/// Secrets, the terminals' own settings, and the server's accounts and keys.
const NEVER: [&str; 3] = [".secrets", ".terminal", ".internal"];

/// Neither shown nor made, as a file or as a folder.
pub fn is_hidden(name: &str) -> bool {
    let mut plain = name.to_ascii_lowercase();
    // More than one ending means nothing to a server today; a later one may think otherwise.
    while let Some(shorter) = without_type(&plain) {
        plain = shorter.to_owned();
    }
    plain.is_empty()
        || NEVER.contains(&plain.as_str())
        || AUXILIARY.iter().any(|ending| plain.ends_with(ending))
}

/// The resource that a file holds: a server writes `notes` as `notes$.ttl` when its name does not tell its type.
pub fn resource_of(file: &str) -> &str {
    without_type(file).unwrap_or(file)
}

fn without_type(name: &str) -> Option<&str> {
    let (before, ending) = name.rsplit_once('.')?;
    if ending.is_empty() {
        return None;
    }
    before.strip_suffix('$')
}

/// Whether a link leads to a place in the Pod, as far as its words tell. What it leads to is decided there.
pub fn stays_inside(folder_depth: usize, target: &str) -> bool {
    let mut depth = folder_depth;
    if target.is_empty() || target.starts_with('/') {
        return false;
    }
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." if depth == 0 => return false,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_keeps_beside_resources_is_hidden_however_it_is_written() {
        for name in [
            ".acl",
            ".acr",
            ".meta",
            "notes.acl",
            "notes.ttl.acl",
            "notes.meta",
            ".ACL",
            ".acl$.ttl",
            "notes.acl$.ttl",
            "notes.acl$.ttl$.txt",
            ".secrets",
            ".Secrets",
            ".terminal",
            ".internal",
            "$.ttl",
        ] {
            assert!(is_hidden(name), "{name}");
        }
        for name in [
            "acl",
            "notes",
            "notes.ttl",
            "acl.txt",
            ".aclx",
            "meta",
            "a$.ttl",
            ".git",
            "price$",
            "a$.",
        ] {
            assert!(!is_hidden(name), "{name}");
        }
    }

    #[test]
    fn a_files_ending_for_its_type_is_not_part_of_its_name() {
        assert_eq!(resource_of("notes$.ttl"), "notes");
        assert_eq!(resource_of("notes.v2$.ttl"), "notes.v2");
        assert_eq!(resource_of("notes.ttl"), "notes.ttl");
        assert_eq!(resource_of("$."), "$.");
    }

    #[test]
    fn a_link_out_of_the_pod_leads_nowhere() {
        assert!(stays_inside(0, "notes"));
        assert!(stays_inside(1, "../notes"));
        assert!(stays_inside(0, "a/../b"));
        for (depth, target) in [
            (0, "/etc"),
            (0, ".."),
            (1, "../../x"),
            (0, "a/../../x"),
            (3, ""),
        ] {
            assert!(!stays_inside(depth, target), "{target}");
        }
    }
}

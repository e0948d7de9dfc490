//! What one session may do where in a Pod. The relay makes the table from the Pod's ACLs; here it is asked.
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::ops::BitOr;

/// What an ACL lets the session do. None includes another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct Modes(u8);

pub const READ: Modes = Modes(1);
pub const WRITE: Modes = Modes(2);
pub const APPEND: Modes = Modes(4);

impl Modes {
    pub fn has(self, wanted: Modes) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// Whether something can be added: whoever may write may also append.
    pub fn adds(self) -> bool {
        self.has(WRITE) || self.has(APPEND)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Modes {
    type Output = Modes;
    fn bitor(self, other: Modes) -> Modes {
        Modes(self.0 | other.0)
    }
}

impl TryFrom<String> for Modes {
    type Error = String;
    fn try_from(letters: String) -> Result<Modes, String> {
        letters
            .chars()
            .try_fold(Modes::default(), |modes, letter| match letter {
                'r' => Ok(modes | READ),
                'w' => Ok(modes | WRITE),
                'a' => Ok(modes | APPEND),
                other => Err(format!("{other} is no mode")),
            })
    }
}

/// What one ACL says: about the resource that it belongs to, and about what is below and has none of its own.
#[derive(Deserialize, Clone, Copy)]
struct Acl {
    own: Modes,
    #[serde(default)]
    below: Modes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    lease_seconds: u64,
    within: Option<Vec<String>>,
    acls: HashMap<String, Acl>,
}

/// Resources are named as in the Pod: from its root, containers with a slash at the end.
#[derive(Default)]
pub struct Rights {
    lease_seconds: u64,
    /// The containers that the session's own rule confines it to.
    within: Option<Vec<String>>,
    acls: HashMap<String, Acl>,
    /// Containers that lead to something granted, whatever is granted about them.
    leading: HashSet<String>,
}

impl Rights {
    pub fn parse(text: &[u8]) -> Result<Rights, String> {
        let table: Table = serde_json::from_slice(text).map_err(|e| e.to_string())?;
        let mut rights = Rights {
            lease_seconds: table.lease_seconds,
            within: table.within,
            acls: table.acls,
            leading: HashSet::new(),
        };
        rights.leading = rights.find_leading();
        Ok(rights)
    }

    /// For so long after it was written the table counts.
    pub fn lease_seconds(&self) -> u64 {
        self.lease_seconds
    }

    pub fn modes(&self, resource: &str) -> Modes {
        if self.is_within(resource) {
            self.granted(resource)
        } else {
            Modes::default()
        }
    }

    /// A container that leads somewhere is there to be walked through, and shows what it leads to.
    pub fn is_visible(&self, resource: &str) -> bool {
        !self.modes(resource).is_empty() || self.leading.contains(resource)
    }

    /// Whether an ACL belongs to this container or to anything below: such a one is not moved, because its ACLs
    /// would be elsewhere before the table knows.
    pub fn has_acl_inside(&self, container: &str) -> bool {
        self.acls.keys().any(|owner| owner.starts_with(container))
    }

    fn is_within(&self, resource: &str) -> bool {
        match &self.within {
            None => true,
            Some(containers) => containers.iter().any(|one| resource.starts_with(&**one)),
        }
    }

    /// By the nearest ACL and no other.
    fn granted(&self, resource: &str) -> Modes {
        if let Some(acl) = self.acls.get(resource) {
            return acl.own;
        }
        above(resource)
            .find_map(|container| self.acls.get(container))
            .map_or(Modes::default(), |acl| acl.below)
    }

    fn find_leading(&self) -> HashSet<String> {
        let mut leading = HashSet::new();
        for (owner, acl) in &self.acls {
            if !self.modes(owner).is_empty() {
                leading.extend(above(owner).map(str::to_owned));
            }
            if owner.ends_with('/') && !acl.below.is_empty() && self.is_within(owner) {
                leading.insert(owner.clone());
                leading.extend(above(owner).map(str::to_owned));
            }
        }
        for container in self.within.iter().flatten() {
            let child = format!("{container}-");
            if !self.granted(container).is_empty() || !self.granted(&child).is_empty() {
                leading.insert(container.clone());
                leading.extend(above(container).map(str::to_owned));
            }
        }
        leading
    }
}

/// The containers that a resource is in, the nearest first.
fn above(resource: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(container_of(resource), |container| container_of(container))
}

fn container_of(resource: &str) -> Option<&str> {
    let without_slash = resource.strip_suffix('/').unwrap_or(resource);
    without_slash
        .rfind('/')
        .map(|slash| &without_slash[..=slash])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rights(within: serde_json::Value, acls: serde_json::Value) -> Rights {
        let text = json!({"leaseSeconds": 60, "within": within, "acls": acls}).to_string();
        Rights::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_nearest_acl_decides_alone() {
        let rights = rights(
            json!(null),
            json!({
                "/": {"own": "r", "below": "r"},
                "/notes/": {"own": "r", "below": "rw"},
                "/notes/private/": {"own": "", "below": ""},
                "/notes/private/note": {"own": "r"},
                "/notes/log": {"own": "a"},
            }),
        );
        for (resource, modes) in [
            ("/", READ),
            ("/card", READ),
            ("/notes/", READ),
            ("/notes/todo", READ | WRITE),
            ("/notes/deep/er/todo", READ | WRITE),
            ("/notes/log", APPEND),
            ("/notes/private/", Modes::default()),
            ("/notes/private/other", Modes::default()),
            ("/notes/private/deep/", Modes::default()),
            ("/notes/private/note", READ),
        ] {
            assert_eq!(rights.modes(resource), modes, "{resource}");
        }
    }

    #[test]
    fn what_leads_to_a_grant_is_seen_and_nothing_beside_it() {
        let rights = rights(
            json!(null),
            json!({"/": {"own": "", "below": ""}, "/a/b/": {"own": "", "below": "r"}, "/x/y": {"own": "r"}}),
        );
        for seen in ["/", "/a/", "/a/b/", "/a/b/c", "/x/", "/x/y"] {
            assert!(rights.is_visible(seen), "{seen}");
        }
        for unseen in ["/c", "/a/c", "/a/c/", "/x/z", "/x/y/"] {
            assert!(!rights.is_visible(unseen), "{unseen}");
        }
    }

    #[test]
    fn a_rule_that_names_folders_hides_the_others() {
        let rights = rights(
            json!(["/github/"]),
            json!({"/": {"own": "rw", "below": "rw"}}),
        );
        assert_eq!(rights.modes("/github/project/file"), READ | WRITE);
        assert_eq!(rights.modes("/github/"), READ | WRITE);
        assert!(rights.modes("/").is_empty() && rights.is_visible("/"));
        for unseen in ["/notes", "/notes/", "/github", "/githubs/", "/githubs/x"] {
            assert!(!rights.is_visible(unseen), "{unseen}");
        }
    }

    #[test]
    fn a_folder_that_nobody_granted_leads_nowhere() {
        let rights = rights(
            json!(["/github/"]),
            json!({"/": {"own": "rw", "below": ""}}),
        );
        assert!(!rights.is_visible("/github/") && !rights.is_visible("/"));
    }

    #[test]
    fn nothing_is_granted_where_no_acl_is() {
        let rights = rights(json!(null), json!({"/a/": {"own": "r", "below": "r"}}));
        assert!(rights.modes("/b").is_empty());
        assert!(Rights::default().modes("/").is_empty());
        assert!(!Rights::default().is_visible("/"));
    }

    #[test]
    fn a_container_with_acls_inside_is_known() {
        let rights = rights(
            json!(null),
            json!({"/": {"own": ""}, "/a/b/c": {"own": "r"}}),
        );
        assert!(rights.has_acl_inside("/a/"));
        assert!(rights.has_acl_inside("/a/b/"));
        assert!(!rights.has_acl_inside("/a/c/"));
    }

    #[test]
    fn a_table_that_says_more_than_is_known_is_refused() {
        let unknown = r#"{"leaseSeconds": 1, "acls": {"/": {"own": "rx"}}}"#;
        assert!(Rights::parse(unknown.as_bytes()).is_err());
        assert!(Rights::parse(b"{}").is_err());
    }
}

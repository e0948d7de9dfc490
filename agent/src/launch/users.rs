//! Who a command runs as: the sandbox's ordinary user, or one that the image's own files name.
//!
//! The files are read by hand: a static binary's getpwnam would load the image's libraries.
use crate::bounds;
use crate::config::Workload;
use std::io::Read;
use std::path::Path;

#[derive(Clone, Debug, PartialEq)]
pub struct User {
    pub uid: u32,
    pub gid: u32,
    pub groups: Vec<u32>,
    pub name: String,
    pub home: String,
    /// None: nobody has chosen one.
    pub shell: Option<String>,
}

impl User {
    pub fn ordinary(workload: &Workload) -> User {
        User {
            uid: workload.uid,
            gid: workload.gid,
            groups: vec![workload.gid],
            name: workload.user.clone(),
            home: workload.home.clone(),
            shell: workload.shell.clone(),
        }
    }

    /// A name, or "uid[:gid]", looked up in the image's /etc.
    pub fn find(asked: &str, etc: &Path) -> Option<User> {
        let passwd = read(&etc.join("passwd"));
        let rows = passwd.lines().filter_map(Row::parse);
        let (uid, gid) = match asked.split_once(':') {
            Some((uid, gid)) => (uid.parse().ok()?, Some(gid.parse().ok()?)),
            None => match asked.parse::<u32>() {
                Ok(uid) => (uid, None),
                Err(_) => {
                    let known = rows.into_iter().find(|row| row.name == asked);
                    return match known {
                        Some(row) => Some(row.user(etc)),
                        None if asked == "root" => Some(Row::nameless(0).user(etc)),
                        None => None,
                    };
                }
            },
        };
        // -1 means "leave as it is" to the kernel: it would keep the agent's own id.
        if uid == u32::MAX || gid == Some(u32::MAX) {
            return None;
        }
        let mut row = rows
            .into_iter()
            .find(|row| row.uid == uid)
            .unwrap_or(Row::nameless(uid));
        row.gid = gid.unwrap_or(row.gid);
        Some(row.user(etc))
    }
}

/// The names that the image's files have for ids.
pub struct Names {
    users: Vec<(u32, String)>,
    groups: Vec<(u32, String)>,
}

impl Names {
    pub fn read() -> Names {
        let etc = Path::new("/etc");
        let users = read(&etc.join("passwd"));
        let groups = read(&etc.join("group"));
        let group = |line: &str| {
            let mut fields = line.split(':');
            let name = fields.next()?.to_owned();
            Some((fields.nth(1)?.parse().ok()?, name))
        };
        Names {
            users: users
                .lines()
                .filter_map(Row::parse)
                .map(|row| (row.uid, row.name))
                .collect(),
            groups: groups.lines().filter_map(group).collect(),
        }
    }

    pub fn user(&self, uid: u32) -> String {
        named(&self.users, uid)
    }

    pub fn group(&self, gid: u32) -> String {
        named(&self.groups, gid)
    }
}

fn named(names: &[(u32, String)], id: u32) -> String {
    names
        .iter()
        .find(|(known, _)| *known == id)
        .map_or_else(|| id.to_string(), |(_, name)| name.clone())
}

struct Row {
    name: String,
    uid: u32,
    gid: u32,
    home: String,
    shell: String,
}

impl Row {
    fn parse(line: &str) -> Option<Row> {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        let home = fields.nth(1)?.to_owned();
        let shell = fields.next().unwrap_or_default().to_owned();
        (uid != u32::MAX && gid != u32::MAX).then_some(Row {
            name,
            uid,
            gid,
            home,
            shell,
        })
    }

    fn nameless(uid: u32) -> Row {
        Row {
            name: if uid == 0 {
                "root".into()
            } else {
                uid.to_string()
            },
            uid,
            gid: uid,
            home: if uid == 0 { "/root" } else { "/" }.into(),
            shell: String::new(),
        }
    }

    fn user(self, etc: &Path) -> User {
        let mut groups = vec![self.gid];
        for line in read(&etc.join("group")).lines() {
            let fields: Vec<&str> = line.split(':').collect();
            if let [_, _, gid, members] = fields[..]
                && members.split(',').any(|member| member == self.name)
                && let Ok(gid) = gid.parse()
                && gid != u32::MAX
                && !groups.contains(&gid)
                && groups.len() < bounds::GROUPS
            {
                groups.push(gid);
            }
        }
        User {
            uid: self.uid,
            gid: self.gid,
            groups,
            name: self.name,
            home: self.home,
            shell: Some(self.shell).filter(|shell| !shell.is_empty()),
        }
    }
}

fn read(path: &Path) -> String {
    let mut bytes = Vec::new();
    // O_NONBLOCK: the workload may be root here and put a FIFO in the file's place.
    let opened = std::os::unix::fs::OpenOptionsExt::custom_flags(
        std::fs::OpenOptions::new().read(true),
        libc::O_NONBLOCK | libc::O_NOCTTY,
    )
    .open(path);
    if let Ok(file) = opened {
        let _ = file.take(bounds::PASSWD as u64).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::User;

    fn etc() -> tempfile::TempDir {
        let etc = tempfile::tempdir().unwrap();
        let passwd = "root:x:0:0:root:/root:/bin/bash\nbob:x:1001:1002::/home/bob:\nbad:x:-1:0::/:\nhuge:x:4294967295:0::/:/bin/sh\n";
        std::fs::write(etc.path().join("passwd"), passwd).unwrap();
        std::fs::write(
            etc.path().join("group"),
            "wheel:x:10:alice,bob\nx:x:11:alice\n",
        )
        .unwrap();
        etc
    }

    #[test]
    fn a_name_is_looked_up_with_its_groups() {
        let bob = User::find("bob", etc().path()).unwrap();
        assert_eq!((bob.uid, bob.gid, bob.groups), (1001, 1002, vec![1002, 10]));
        assert_eq!((&*bob.home, bob.shell), ("/home/bob", None));
        let root = User::find("root", etc().path()).unwrap();
        assert_eq!(root.shell.as_deref(), Some("/bin/bash"));
    }

    #[test]
    fn numbers_need_no_entry() {
        let nobody = User::find("4242:17", etc().path()).unwrap();
        assert_eq!((nobody.uid, nobody.gid, &*nobody.name), (4242, 17, "4242"));
        assert_eq!(User::find("1001", etc().path()).unwrap().name, "bob");
    }

    #[test]
    fn nobody_becomes_the_agent_by_an_odd_number() {
        for odd in [
            "4294967295",
            "0:4294967295",
            "-1",
            "huge",
            "bad",
            "eve",
            "1:2:3",
            "",
        ] {
            assert_eq!(User::find(odd, etc().path()), None, "{odd}");
        }
    }
}

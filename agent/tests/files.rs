//! Files of a real sandbox: whose permissions count, what is closed, and what an upload that breaks leaves behind.
use crate::support;

use serde_json::json;
use std::os::unix::fs::{PermissionsExt, symlink};
use support::bubble::{self, Bubble};
use support::relay::Operation;
use support::wait_until;
use support::wire::file_failure::Kind;
use support::wire::file_order::Operation as Order;
use support::wire::{
    FileDown, ListFiles, ReadFile, RemoveFile, WriteFile, file_down, file_up::Message,
};

fn sandbox() -> Option<Bubble> {
    if let Some(why) = bubble::missing() {
        eprintln!("skipped: {why}");
        return None;
    }
    Some(Bubble::start(json!({})))
}

fn read(path: &str) -> Order {
    Order::Read(ReadFile {
        path: path.into(),
        ..ReadFile::default()
    })
}

fn contents(bubble: &Bubble, user: &str, path: &str) -> Result<String, Kind> {
    let told = bubble.relay.told(bubble.relay.files(user, read(path)));
    let mut text = Vec::new();
    for message in told {
        match message {
            Message::Data(data) => text.extend_from_slice(&data),
            Message::Failure(failure) => return Err(failure.kind()),
            _ => {}
        }
    }
    Ok(String::from_utf8(text).unwrap())
}

fn say(bubble: &Bubble, operation: &Operation, message: file_down::Message) {
    let down = FileDown {
        message: Some(message),
    };
    bubble.relay.block_on(operation.1.send(Ok(down))).unwrap();
}

fn begin(bubble: &Bubble, user: &str, path: &str) -> Operation {
    let order = WriteFile {
        path: path.into(),
        ..WriteFile::default()
    };
    bubble.relay.files(user, Order::Write(order))
}

fn write(bubble: &Bubble, user: &str, path: &str, text: &str) -> Result<(), Kind> {
    let operation = begin(bubble, user, path);
    say(
        bubble,
        &operation,
        file_down::Message::Data(text.to_owned().into()),
    );
    say(bubble, &operation, file_down::Message::End(true));
    match bubble.relay.told(operation).pop() {
        Some(Message::Failure(failure)) => Err(failure.kind()),
        Some(Message::Done(_)) => Ok(()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_belong_to_the_user_who_wrote_them_and_obey_the_permissions_inside() {
    let Some(bubble) = sandbox() else { return };
    write(&bubble, "", "mine", "mine").unwrap();
    write(&bubble, "root", "roots", "root's").unwrap();
    let workspace = bubble.folder.path().join("workspace");
    use std::os::unix::fs::MetadataExt;
    let owner = |name: &str| workspace.join(name).metadata().unwrap().uid() - bubble::UID_BASE;
    assert_eq!((owner("mine"), owner("roots")), (1000, 0));
    std::fs::set_permissions(
        workspace.join("roots"),
        std::fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    assert_eq!(contents(&bubble, "", "mine").unwrap(), "mine");
    assert_eq!(contents(&bubble, "", "roots"), Err(Kind::NotPermitted));
    assert_eq!(contents(&bubble, "root", "roots").unwrap(), "root's");
    assert_eq!(write(&bubble, "", "/etc/new", "x"), Err(Kind::NotPermitted));
    assert_eq!(contents(&bubble, "nobody-here", "mine"), Err(Kind::Invalid));
}

#[test]
fn the_agents_own_folder_and_proc_are_closed_to_root_too() {
    let Some(bubble) = sandbox() else { return };
    let workspace = bubble.folder.path().join("workspace");
    symlink("/run/bivouac", workspace.join("agent")).unwrap();
    symlink("/proc/self/root", workspace.join("out")).unwrap();
    for user in ["", "root"] {
        for path in [
            "/run/bivouac/token",
            "/run/bivouac/../bivouac/token",
            "agent/token",
            "/proc/self/environ",
            "/proc/1/mem",
            "/proc/self/root/run/bivouac/token",
            "/proc/self/cwd/../run/bivouac/token",
            "out/etc/passwd",
        ] {
            let read = contents(&bubble, user, path);
            assert_eq!(read, Err(Kind::NotPermitted), "{user} {path}");
        }
    }
    let list = Order::List(ListFiles {
        path: "/run".into(),
        depth: 3,
        limit: 100,
        ..ListFiles::default()
    });
    for message in bubble.relay.told(bubble.relay.files("root", list)) {
        if let Message::Entries(entries) = message {
            assert!(
                entries
                    .entries
                    .iter()
                    .all(|entry| !entry.path.contains("token"))
            );
        }
    }
}

#[test]
fn an_upload_that_breaks_leaves_the_old_file_and_nothing_else() {
    let Some(bubble) = sandbox() else { return };
    let workspace = bubble.folder.path().join("workspace");
    write(&bubble, "", "file", "old").unwrap();
    for _ in 0..20 {
        let operation = begin(&bubble, "", "file");
        say(&bubble, &operation, file_down::Message::Data("half".into()));
        say(&bubble, &operation, file_down::Message::Stop(true));
        assert!(bubble.relay.told(operation).is_empty());
    }
    let operation = begin(&bubble, "", "file");
    say(&bubble, &operation, file_down::Message::Data("half".into()));
    let agent = bubble.init();
    unsafe { libc::kill(agent, libc::SIGKILL) };
    wait_until("the sandbox is gone", || !support::alive(agent));
    let left: Vec<_> = std::fs::read_dir(&workspace)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["file"]);
    assert_eq!(
        std::fs::read_to_string(workspace.join("file")).unwrap(),
        "old"
    );
}

#[test]
fn a_folder_that_is_swapped_for_a_link_is_not_followed_when_it_is_removed() {
    let Some(bubble) = sandbox() else { return };
    let command = "mkdir -p victim tree/swap && touch victim/kept && \
         (while :; do mv tree/swap tree/away; ln -s ../victim tree/swap; \
         rm tree/swap; mv tree/away tree/swap; done) 2>/dev/null";
    let mut run = support::shell(command);
    run.background = true;
    let reader = bubble.relay.run(run);
    let workspace = bubble.folder.path().join("workspace");
    wait_until("the folders are there", || {
        workspace.join("victim/kept").exists()
    });
    for _ in 0..200 {
        let order = Order::Remove(RemoveFile {
            path: "tree/swap".into(),
            recursive: true,
        });
        bubble.relay.told(bubble.relay.files("", order));
        let _ = std::fs::create_dir(workspace.join("tree/swap"));
    }
    assert!(workspace.join("victim/kept").exists());
    drop(reader);
}

//! The folders that commands may write to.
use serde_json::{Map, Value};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

/// Where commands run, and their user's home: there, and the user's own.
pub fn make(config: &Map<String, Value>) -> std::io::Result<()> {
    let workload = config.get("workload").unwrap_or(&Value::Null);
    let id = |name: &str| {
        workload[name]
            .as_u64()
            .and_then(|id| u32::try_from(id).ok())
    };
    let (uid, gid) = (id("uid"), id("gid"));
    for path in [config.get("cwd"), workload.get("home")] {
        let Some(path) = path.and_then(Value::as_str).map(Path::new) else {
            continue;
        };
        std::fs::create_dir_all(path)?;
        // A volume's root, or an image's folder. Nothing runs here yet that could put a link in its place.
        if uid.is_some_and(|uid| std::fs::symlink_metadata(path).is_ok_and(|at| at.uid() != uid)) {
            chown(path, uid, gid)?;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn folders_are_made_with_their_parents() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
        let own = unsafe { (libc::getuid(), libc::getgid()) };
        let config = json!({
            "cwd": at("a/workspace"),
            "workload": {"uid": own.0, "gid": own.1, "home": at("b/home")},
        });
        make(config.as_object().unwrap()).unwrap();
        make(config.as_object().unwrap()).unwrap();
        assert!(root.path().join("a/workspace").is_dir());
        assert!(root.path().join("b/home").is_dir());
    }
}

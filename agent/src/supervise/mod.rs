use std::path::Path;
pub fn supervise(_spec: &Path) -> Result<(), String> {
    Err("x".into())
}

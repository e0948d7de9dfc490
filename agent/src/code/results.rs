//! Results of former runs, so long as there is room for them.
use crate::bounds;
use base64::Engine;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Mutex;

#[derive(Default)]
pub struct Results(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Oldest first.
    results: VecDeque<(String, Value, usize)>,
    bytes: usize,
}

impl Results {
    /// `size` is that of its text.
    pub fn keep(&self, id: String, bundle: Value, size: usize) {
        if size > bounds::RESULT_BYTES {
            return;
        }
        let mut kept = self.0.lock().unwrap();
        while kept.results.len() >= bounds::RESULTS || kept.bytes + size > bounds::RESULT_BYTES {
            match kept.results.pop_front() {
                Some((_, _, freed)) => kept.bytes -= freed,
                None => break,
            }
        }
        kept.bytes += size;
        kept.results.push_back((id, bundle, size));
    }

    /// None: there is no such result any more; Some(None): it has no such form.
    pub fn form(&self, id: &str, media_type: &str) -> Option<Option<Vec<u8>>> {
        let kept = self.0.lock().unwrap();
        let (_, bundle, _) = kept.results.iter().find(|(known, _, _)| known == id)?;
        Some(bundle.get(media_type).map(|data| bytes(media_type, data)))
    }
}

/// Text is as it is; what is binary travels as base64.
fn bytes(media_type: &str, data: &Value) -> Vec<u8> {
    match data {
        Value::String(text) if is_binary(media_type) => base64::engine::general_purpose::STANDARD
            .decode(text.replace(['\n', '\r'], ""))
            .unwrap_or_else(|_| text.clone().into_bytes()),
        Value::String(text) => text.clone().into_bytes(),
        other => other.to_string().into_bytes(),
    }
}

fn is_binary(media_type: &str) -> bool {
    let image = media_type.starts_with("image/") && !media_type.ends_with("+xml");
    image || media_type == "application/pdf" || media_type == "application/octet-stream"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pictures_are_bytes_and_text_is_text() {
        let results = Results::default();
        let bundle =
            json!({"image/png": "iVBORw==", "text/plain": "x", "application/json": {"a": 1}});
        results.keep("r-1".into(), bundle, 10);
        let form = |media| results.form("r-1", media).unwrap();
        assert_eq!(form("image/png").unwrap(), [0x89, b'P', b'N', b'G']);
        assert_eq!(form("text/plain").unwrap(), b"x");
        assert_eq!(form("application/json").unwrap(), br#"{"a":1}"#);
        assert_eq!(form("text/html"), None);
        assert_eq!(results.form("r-2", "text/plain"), None);
    }

    #[test]
    fn the_oldest_go_first() {
        let results = Results::default();
        for at in 0..=bounds::RESULTS {
            results.keep(format!("r-{at}"), json!({}), 1);
        }
        results.keep("large".into(), json!({}), bounds::RESULT_BYTES - 10);
        assert!(results.form("r-0", "x").is_none());
        assert!(
            results
                .form(&format!("r-{}", bounds::RESULTS), "x")
                .is_some()
        );
        assert!(results.form("large", "x").is_some());
        results.keep("larger".into(), json!({}), bounds::RESULT_BYTES + 1);
        assert!(results.form("larger", "x").is_none());
        assert!(results.0.lock().unwrap().bytes <= bounds::RESULT_BYTES);
    }
}

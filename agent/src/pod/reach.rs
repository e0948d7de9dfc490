//! `bivouac-agent reach ADDRESS SECONDS`: whether a TCP connection comes about. The server asks it of two Pods, one under
//! the sandboxes' rules and one not, to see whether the cluster's network enforces them.
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub fn reach(address: &str, seconds: &str) -> Result<(), String> {
    let to: SocketAddr = address
        .parse()
        .map_err(|_| format!("{address} is no ADDRESS:PORT"))?;
    let seconds: u64 = seconds
        .parse()
        .ok()
        .filter(|seconds| (1..=60).contains(seconds))
        .ok_or(format!("{seconds} is no number of seconds from 1 to 60"))?;
    match TcpStream::connect_timeout(&to, Duration::from_secs(seconds)) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{address} is not reached: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::reach;
    use std::net::TcpListener;

    #[test]
    fn who_listens_is_reached_and_nobody_else() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        reach(&address, "5").unwrap();
        drop(listener);
        assert!(reach(&address, "5").unwrap_err().contains("not reached"));
        assert!(
            reach("somewhere", "5")
                .unwrap_err()
                .contains("ADDRESS:PORT")
        );
        assert!(reach(&address, "0").unwrap_err().contains("seconds"));
    }
}

//! A relay's address on the network, as the configuration writes it: `https://HOST:PORT`.
use std::fmt::{Display, Formatter};
use tonic::transport::Uri;

#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// A name or an IP address, the latter without brackets.
    pub host: String,
    pub port: u16,
}

impl TryFrom<String> for Address {
    type Error = String;

    fn try_from(text: String) -> Result<Address, String> {
        parse(&text).ok_or_else(|| format!("a relay's address is https://HOST:PORT, not {text:?}"))
    }
}

fn parse(text: &str) -> Option<Address> {
    let uri: Uri = text.parse().ok()?;
    let plain = uri.path() == "/" && uri.query().is_none() && !text.contains('@');
    if uri.scheme_str() != Some("https") || !plain {
        return None;
    }
    let host = uri.host()?;
    let unbracketed = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    Some(Address {
        host: unbracketed.unwrap_or(host).to_owned(),
        port: uri.port_u16().filter(|port| *port != 0)?,
    })
}

impl Display for Address {
    fn fmt(&self, to: &mut Formatter<'_>) -> std::fmt::Result {
        let Address { host, port } = self;
        match host.contains(':') {
            true => write!(to, "https://[{host}]:{port}"),
            false => write!(to, "https://{host}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_as_it_is_written() {
        for text in [
            "https://relay.example:50051",
            "https://10.0.0.7:1",
            "https://[fd00::7]:50051",
        ] {
            assert_eq!(
                Address::try_from(text.to_owned()).unwrap().to_string(),
                text
            );
        }
        let address = Address::try_from("https://[::1]:50051/".to_owned()).unwrap();
        assert_eq!((&*address.host, address.port), ("::1", 50051));
    }

    #[test]
    fn an_address_without_tls_or_port_is_refused() {
        for text in [
            "",
            "relay:50051",
            "http://relay:50051",
            "https://relay",
            "https://relay:0",
            "https://relay:70000",
            "https://relay:50051/path",
            "https://user@relay:50051",
        ] {
            let error = Address::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("https://HOST:PORT"), "{error}");
        }
    }
}

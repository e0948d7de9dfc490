//! TCP with TLS to a relay on another machine.
//!
//! The relay proves itself by a certificate of the installation's own authority, the only one that is trusted. The agent
//! proves itself by its join token, as on a socket, once the channel is there: so nobody else ever sees the token.
use super::address::Address;
use crate::bounds;
use crate::config::Trust;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::Resumption;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{self, CertificateError, ClientConfig, RootCertStore};

const HTTP2: &[u8] = b"h2";

/// Names are looked up in /etc/hosts and by DNS, whatever the image's nsswitch.conf says: it could name a library of
/// the image's, and the C library would load that into the agent.
pub fn look_names_up_without_plugins() {
    unsafe extern "C" {
        fn __nss_configure_lookup(
            database: *const libc::c_char,
            services: *const libc::c_char,
        ) -> libc::c_int;
    }
    unsafe { __nss_configure_lookup(c"hosts".as_ptr(), c"files dns".as_ptr()) };
}

/// The trusted authority is read for each attempt, so that it can be replaced under a running agent.
pub async fn connect(address: &Address, trust: &Trust) -> Result<TlsStream<TcpStream>> {
    let config = client(&trust.ca_file)?;
    let name = ServerName::try_from(trust.server_name.clone()).map_err(Error::other)?;
    let tcp = TcpStream::connect((&*address.host, address.port)).await?;
    tcp.set_nodelay(true)?;
    let tls = TlsConnector::from(Arc::new(config))
        .connect(name, tcp)
        .await
        .map_err(|error| explain(error, &trust.server_name))?;
    match tls.get_ref().1.alpn_protocol() {
        Some(HTTP2) => Ok(tls),
        _ => Err(Error::other("it does not speak HTTP/2")),
    }
}

fn client(ca_file: &Path) -> Result<ClientConfig> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&TLS13])
        .map_err(Error::other)?
        .with_root_certificates(authority(ca_file)?)
        .with_no_client_auth();
    config.alpn_protocols = vec![HTTP2.to_vec()];
    config.resumption = Resumption::disabled();
    Ok(config)
}

/// All certificates of the file: two of them while one authority takes over from another.
fn authority(file: &Path) -> Result<RootCertStore> {
    let unusable = |why: String| Error::other(format!("{}: {why}", file.display()));
    let mut pem = Vec::new();
    std::fs::File::open(file)
        .and_then(|open| open.take(bounds::AUTHORITY).read_to_end(&mut pem))
        .map_err(|error| unusable(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
        let added = roots.add(certificate);
        added.map_err(|error| unusable(error.to_string()))?;
    }
    match roots.is_empty() {
        true => Err(unusable("no certificate in it".into())),
        false => Ok(roots),
    }
}

/// The usual reasons in words for whoever runs the installation.
fn explain(error: Error, server_name: &str) -> Error {
    use CertificateError::*;
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    let reason = match inner {
        Some(rustls::Error::InvalidCertificate(reason)) => reason,
        _ if error.kind() == ErrorKind::UnexpectedEof => {
            return Error::new(
                error.kind(),
                "it closed the connection before TLS was set up",
            );
        }
        _ => return error,
    };
    let text = match reason {
        UnknownIssuer | BadSignature => {
            "its certificate is not by the installation's authority".into()
        }
        Expired | ExpiredContext { .. } => "its certificate has expired".into(),
        NotValidYet | NotValidYetContext { .. } => "its certificate is not valid yet".into(),
        NotValidForName | NotValidForNameContext { .. } => {
            format!("its certificate is not for the name {server_name}")
        }
        other => format!("its certificate is not valid: {other}"),
    };
    Error::new(error.kind(), text)
}

//! Which addresses may call.
use std::net::IpAddr;

/// Networks that may call. Beyond the loopback address a client also has to know a token and use a port that only
/// root can take.
pub struct Clients {
    networks: Vec<Network>,
    pub beyond_loopback: bool,
}

struct Network {
    address: IpAddr,
    prefix: u32,
}

const FIRST_ORDINARY_PORT: u16 = 1024;

impl Clients {
    pub fn parse(networks: &[String], beyond_loopback: bool) -> Result<Clients, String> {
        let networks: Result<Vec<Network>, String> =
            networks.iter().map(|text| Network::parse(text)).collect();
        Ok(Clients {
            networks: networks?,
            beyond_loopback,
        })
    }

    pub fn allows(&self, address: IpAddr, port: u16) -> bool {
        let address = address.to_canonical();
        let known = if self.networks.is_empty() {
            address.is_loopback()
        } else {
            self.networks.iter().any(|network| network.has(address))
        };
        known && (!self.beyond_loopback || port < FIRST_ORDINARY_PORT)
    }
}

impl Network {
    fn parse(text: &str) -> Result<Network, String> {
        let wrong = || format!("\"{text}\" is not a network such as 10.0.0.0/8");
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().map_err(|_| wrong())?,
            None => longest,
        };
        (prefix <= longest)
            .then_some(Network { address, prefix })
            .ok_or_else(wrong)
    }

    fn has(&self, other: IpAddr) -> bool {
        match (self.address, other) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let shift = 32 - self.prefix;
                u32::from(own).checked_shr(shift).unwrap_or(0)
                    == u32::from(other).checked_shr(shift).unwrap_or(0)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let shift = 128 - self.prefix;
                u128::from(own).checked_shr(shift).unwrap_or(0)
                    == u128::from(other).checked_shr(shift).unwrap_or(0)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(networks: &[&str], beyond: bool, address: &str, port: u16) -> bool {
        let networks: Vec<String> = networks.iter().map(|&n| n.to_owned()).collect();
        Clients::parse(&networks, beyond)
            .unwrap()
            .allows(address.parse().unwrap(), port)
    }

    #[test]
    fn without_a_list_only_this_machine_calls() {
        assert!(allows(&[], false, "127.0.0.1", 40_000));
        assert!(allows(&[], false, "::1", 40_000));
        assert!(!allows(&[], false, "10.0.0.1", 700));
    }

    #[test]
    fn a_list_admits_its_networks_alone() {
        let list = ["10.1.0.0/16", "192.0.2.7", "fd00::/8"];
        assert!(allows(&list, true, "10.1.2.3", 700));
        assert!(allows(&list, true, "::ffff:10.1.2.3", 700));
        assert!(allows(&list, true, "192.0.2.7", 700));
        assert!(allows(&list, true, "fd12::1", 700));
        assert!(!allows(&list, true, "10.2.0.1", 700));
        assert!(!allows(&list, true, "192.0.2.8", 700));
        assert!(!allows(&list, true, "127.0.0.1", 700));
        assert!(allows(&["0.0.0.0/0"], true, "203.0.113.9", 1));
    }

    #[test]
    fn beyond_loopback_a_port_that_anyone_can_take_is_refused() {
        assert!(!allows(&["10.0.0.0/8"], true, "10.0.0.1", 1024));
    }

    #[test]
    fn a_list_that_is_not_one_is_refused() {
        for text in ["10.0.0.0/33", "10.0.0/8", "", "::/129", "host"] {
            assert!(Clients::parse(&[text.to_owned()], true).is_err(), "{text}");
        }
    }
}

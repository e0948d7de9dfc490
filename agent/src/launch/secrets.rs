//! Variables that only a command and its descendants may see: sealed by the relay to a key that this agent
//! made at its start and never shows.
use crate::relay::wire::{Failure, Run, SecretEnvironment};
use bytes::Bytes;
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, Serializable, single_shot_open};
use prost::Message;
use zeroize::{Zeroize, Zeroizing};

type Key = X25519HkdfSha256;

const ENCAPSULATED: usize = 32;
const INFO: &str = "bivouac/secrets/v1/";

pub struct Secrets {
    private: <Key as Kem>::PrivateKey,
    public: <Key as Kem>::PublicKey,
}

impl Secrets {
    pub fn new() -> Secrets {
        let mut seed = Zeroizing::new([0u8; 32]);
        let mut filled = 0;
        while filled < seed.len() {
            let rest = &mut seed[filled..];
            let got = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
            // It can only be interrupted.
            filled += usize::try_from(got).unwrap_or(0);
        }
        let (private, public) = Key::derive_keypair(&*seed);
        Secrets { private, public }
    }

    pub fn public_key(&self) -> Bytes {
        Bytes::copy_from_slice(&self.public.to_bytes())
    }

    /// Puts what is sealed among the command's variables.
    pub fn unseal(&self, run: &mut Run, sandbox_id: &str) -> Result<(), Failure> {
        if run.sealed_env.is_empty() {
            return Ok(());
        }
        let sealed = std::mem::take(&mut run.sealed_env);
        let unreadable = || Failure::invalid("the command's secrets are not sealed to this agent");
        let (encapsulated, text) = sealed
            .split_at_checked(ENCAPSULATED)
            .ok_or_else(unreadable)?;
        let encapsulated =
            <Key as Kem>::EncappedKey::from_bytes(encapsulated).map_err(|_| unreadable())?;
        let plain = single_shot_open::<ChaCha20Poly1305, HkdfSha256, Key>(
            &OpModeR::Base,
            &self.private,
            &encapsulated,
            format!("{INFO}{sandbox_id}").as_bytes(),
            text,
            b"",
        )
        .map(Zeroizing::new)
        .map_err(|_| unreadable())?;
        let secrets = SecretEnvironment::decode(plain.as_slice()).map_err(|_| unreadable())?;
        run.env.extend(secrets.env);
        Ok(())
    }
}

/// After the command was started, or was not.
pub fn wipe(run: &mut Run) {
    run.env.values_mut().for_each(Zeroize::zeroize);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpke::{OpModeS, single_shot_seal};

    fn sealed(to: &Secrets, info: &str) -> Vec<u8> {
        let mut secrets = SecretEnvironment::default();
        secrets.env.insert("TOKEN".into(), "s3cret".into());
        let public = <Key as Kem>::PublicKey::from_bytes(&to.public_key()).unwrap();
        let (encapsulated, text) = single_shot_seal::<ChaCha20Poly1305, HkdfSha256, Key, _>(
            &OpModeS::Base,
            &public,
            info.as_bytes(),
            &secrets.encode_to_vec(),
            b"",
            &mut Dice,
        )
        .unwrap();
        [&encapsulated.to_bytes()[..], &text].concat()
    }

    /// The system's randomness, as the library wants it.
    struct Dice;

    impl rand_core::RngCore for Dice {
        fn next_u32(&mut self) -> u32 {
            let mut bytes = [0; 4];
            self.fill_bytes(&mut bytes);
            u32::from_ne_bytes(bytes)
        }

        fn next_u64(&mut self) -> u64 {
            let mut bytes = [0; 8];
            self.fill_bytes(&mut bytes);
            u64::from_ne_bytes(bytes)
        }

        fn fill_bytes(&mut self, bytes: &mut [u8]) {
            let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
            assert_eq!(got, bytes.len() as isize);
        }
    }

    impl rand_core::CryptoRng for Dice {}

    fn unsealed(secrets: &Secrets, sealed: Vec<u8>) -> Result<Run, Failure> {
        let mut run = Run {
            sealed_env: sealed.into(),
            ..Run::default()
        };
        secrets.unseal(&mut run, "sbx-1").map(|()| run)
    }

    #[test]
    fn what_is_sealed_to_this_agent_reaches_the_command_and_is_wiped() {
        let secrets = Secrets::new();
        let mut run = unsealed(&secrets, sealed(&secrets, "bivouac/secrets/v1/sbx-1")).unwrap();
        assert_eq!(run.env["TOKEN"], "s3cret");
        assert!(run.sealed_env.is_empty());
        wipe(&mut run);
        assert_eq!(run.env["TOKEN"], "");
    }

    #[test]
    fn what_is_sealed_to_another_or_changed_is_refused() {
        let secrets = Secrets::new();
        let right = sealed(&secrets, "bivouac/secrets/v1/sbx-1");
        assert!(unsealed(&Secrets::new(), right.clone()).is_err());
        assert!(unsealed(&secrets, sealed(&secrets, "bivouac/secrets/v1/sbx-2")).is_err());
        assert!(unsealed(&secrets, right[..40].to_vec()).is_err());
        assert!(unsealed(&secrets, vec![1, 2, 3]).is_err());
        let mut changed = right;
        *changed.last_mut().unwrap() ^= 1;
        assert!(unsealed(&secrets, changed).is_err());
    }
}

//! A hundred thousand calls that no sane client makes, the same ones each time: nothing outside is read or written, and
//! the server is still there.
use super::rpc;
use super::tests::{Site, call, is_root, wanted};
use super::xdr::{Reader, Writer};

const CALLS: usize = 100_000;
const SEED: u64 = 0x5eed_0fb1_0c5e;

/// Xorshift: the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<'a, T: ?Sized>(&mut self, among: &[&'a T]) -> &'a T {
        among[self.below(among.len() as u64) as usize]
    }
}

const NAMES: [&str; 12] = [
    "a",
    "b",
    "folder",
    "link",
    "out",
    "..",
    ".",
    "",
    "../outside/secret",
    "x/y",
    "secret",
    "\0",
];
const TEXTS: [&str; 5] = [
    "../outside",
    "/",
    "/etc/passwd",
    "a",
    "../../../../../proc/self/root",
];

fn number(dice: &mut Dice) -> u64 {
    match dice.below(8) {
        0 => u64::MAX,
        1 => i64::MAX as u64,
        2 => 1 << 40,
        3 => u64::from(u32::MAX),
        _ => dice.below(70_000),
    }
}

fn handle(dice: &mut Dice, known: &[Vec<u8>]) -> Vec<u8> {
    let mut handle = known[dice.below(known.len() as u64) as usize].clone();
    if dice.below(12) == 0 {
        let at = dice.below(handle.len() as u64) as usize;
        handle[at] = dice.next() as u8;
    }
    if dice.below(60) == 0 {
        handle.truncate(dice.below(64) as usize);
    }
    handle
}

/// Arguments of more or less the right shape.
fn arguments(dice: &mut Dice, procedure: u32, known: &[Vec<u8>]) -> Writer {
    let mut out = Writer::default();
    out.opaque(&handle(dice, known));
    let name = dice.pick(&NAMES).as_bytes();
    let mode = (dice.below(2) == 0).then(|| dice.next() as u32);
    let size = (dice.below(4) == 0).then(|| number(dice));
    match procedure {
        2 => {
            wanted(&mut out, mode, size);
            out.boolean(dice.below(8) == 0);
        }
        3 | 12 | 13 => out.opaque(name),
        4 => out.u32(dice.next() as u32),
        6 => {
            out.u64(number(dice));
            out.u32(number(dice) as u32 & 0x1_ffff);
        }
        7 => {
            let data = vec![7; dice.below(3000) as usize];
            out.u64(number(dice));
            out.u32(data.len() as u32 + u32::from(dice.below(20) == 0));
            out.u32(dice.below(4) as u32);
            out.opaque(&data);
        }
        8 => {
            out.opaque(name);
            out.u32(dice.below(4) as u32);
            wanted(&mut out, mode, size);
        }
        9 => {
            out.opaque(name);
            wanted(&mut out, mode, size);
        }
        10 => {
            out.opaque(name);
            wanted(&mut out, mode, None);
            out.opaque(dice.pick(&TEXTS).as_bytes());
        }
        11 => {
            out.opaque(name);
            out.u32(dice.below(9) as u32);
            wanted(&mut out, mode, None);
        }
        14 => {
            out.opaque(name);
            out.opaque(&handle(dice, known));
            out.opaque(dice.pick(&NAMES).as_bytes());
        }
        15 => {
            out.opaque(&handle(dice, known));
            out.opaque(name);
        }
        16 | 17 => {
            out.u64(if dice.below(2) == 0 { 0 } else { number(dice) });
            out.u64(0);
            out.u32(number(dice) as u32);
            out.u32(number(dice) as u32 & 0x1_ffff);
        }
        _ => {
            out.u64(number(dice));
            out.u32(number(dice) as u32);
        }
    }
    out
}

fn fuzzed(site: &Site) -> u64 {
    let mut dice = Dice(SEED);
    let mut known = vec![site.mount("/one").unwrap(), site.mount("/second").unwrap()];
    let mut succeeded = 0;
    for _ in 0..CALLS {
        let procedure = dice.below(23) as u32;
        let mut record = call(
            rpc::NFS,
            procedure,
            &arguments(&mut dice, procedure, &known),
        );
        if dice.below(5) == 0 {
            let at = dice.below(record.len() as u64) as usize;
            record[at] = dice.next() as u8;
        }
        if dice.below(20) == 0 {
            record.truncate(dice.below(record.len() as u64) as usize);
        }
        let Some(answer) = site.raw(&record) else {
            continue;
        };
        assert!(answer.len() < 2 << 20);
        let mut results = Reader::new(answer.get(28..).unwrap_or_default());
        if results.u32() != Ok(0) {
            continue;
        }
        succeeded += 1;
        let found = match procedure {
            3 => results.opaque(64),
            8..=11 if results.boolean() == Ok(true) => results.opaque(64),
            _ => continue,
        };
        if let Ok(found) = found
            && found.len() > 30
        {
            if known.len() >= 40 {
                known.remove(2 + dice.below(38) as usize);
            }
            known.push(found.to_vec());
        }
    }
    succeeded
}

#[test]
fn a_hundred_thousand_mad_calls_touch_nothing_outside() {
    for table in [false, true] {
        let site = Site::of(|e| if table { e.with_table() } else { e });
        let before = std::fs::metadata(site.path("outside/secret")).unwrap();
        let succeeded = fuzzed(&site);
        assert!(succeeded > 10_000, "{succeeded} did something");
        let after = std::fs::metadata(site.path("outside/secret")).unwrap();
        assert_eq!(before.accessed().unwrap(), after.accessed().unwrap());
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
        assert_eq!(
            std::fs::read(site.path("outside/secret")).unwrap(),
            b"secret"
        );
        let names = |path| std::fs::read_dir(path).unwrap().count();
        assert_eq!(names(site.path("outside")), 1);
        assert_eq!(names(site.path("")), 3);
        // Whatever the modes have become: the next site must be able to go.
        if !is_root() {
            let path = site.path("");
            std::process::Command::new("chmod")
                .args(["-R", "u+rwX"])
                .arg(path)
                .status()
                .unwrap();
        }
    }
}

//! All tests that drive the agent as a process, in one program: each test program of its own would be linked with the
//! same support and the same libraries once more, which took longer than the tests.

mod ask;
mod bounds;
mod egress;
mod files;
mod forward;
mod guards;
mod measure;
mod nfs;
mod owner;
mod pod_attacks;
mod pod_view;
mod readers;
mod run;
mod sealed;
mod supervise;
mod support;
mod terminal;
mod terminal_flood;
mod terminal_readers;
mod terminal_screen;
mod tls;

#[test]
fn every_file_of_tests_is_part_of_this_program() {
    let listed = include_str!("all.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "all") {
            assert!(
                listed.contains(&format!("\nmod {module};\n")),
                "tests/all.rs has no mod {module}"
            );
        }
    }
}

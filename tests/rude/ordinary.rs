// ordinary: what a program in Rust does, and a sandbox need not refuse.
use std::{env, fs, process, thread};

fn main() {
    let threads: Vec<_> = (0..4).map(|i| thread::spawn(move || i * i)).collect();
    let sum: i32 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    let file = env::temp_dir().join("ordinary.txt");
    fs::write(&file, sum.to_string()).unwrap();
    fs::copy(&file, file.with_extension("copy")).unwrap();
    fs::remove_file(&file).unwrap();
    fs::remove_file(file.with_extension("copy")).unwrap();
    process::Command::new("true").status().unwrap();
    println!("done");
}

use std::{env, fs, process};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.len() != 2 {
        eprintln!("Usage: score INPUT OUTPUT");
        process::exit(1);
    }
    let input = tools::read_input(&read(&arguments[0])).unwrap_or_else(|error| fail(&error));
    match tools::read_output(&input, &read(&arguments[1])) {
        Ok(output) => {
            println!("Score = {}", tools::score(&input, &output));
        }
        Err(message) => {
            println!("{message}");
            println!("Score = 0");
        }
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| fail(&format!("{path}: {error}")))
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1)
}

use std::{env, fs, process};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.len() != 2 {
        eprintln!("Usage: vis INPUT OUTPUT");
        process::exit(1);
    }
    let input = tools::read_input(&read(&arguments[0])).unwrap_or_else(|error| fail(&error));
    match tools::replay(&input, &read(&arguments[1])) {
        Ok(field) => {
            let page = format!("<!doctype html>\n<meta charset=\"utf-8\">\n<title>Hidden springs</title>\n{}", tools::draw(&input, &field));
            fs::write("vis.html", page).unwrap_or_else(|error| fail(&error.to_string()));
            println!("Score = {}", field.score());
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

//! Compiles the C++ beside this file for the features that need it; nothing without them.

fn main() {
    #[cfg(feature = "bullet")]
    native("bullet", &["/usr/include/bullet"], &["BulletCollision", "LinearMath"]);
    #[cfg(feature = "embree")]
    native("embree", &[], &["embree3"]);
    #[cfg(feature = "fcl")]
    native("fcl", &["/usr/include/eigen3"], &["fcl", "ccd"]);
}

#[cfg(any(feature = "bullet", feature = "embree", feature = "fcl"))]
fn native(name: &str, includes: &[&str], libraries: &[&str]) {
    let file = format!("native/{name}.cpp");
    println!("cargo::rerun-if-changed={file}");
    // The headers are the distribution's: warnings in them are not ours.
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .includes(includes)
        .warnings(false)
        .file(file)
        .compile(&format!("peers_{name}"));
    for library in libraries {
        println!("cargo::rustc-link-lib={library}");
    }
}

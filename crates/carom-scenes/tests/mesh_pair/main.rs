//! One mesh against another: counts on meshes that nobody here made, brute force, and laws.

mod brute_force;
mod counts;
mod files;

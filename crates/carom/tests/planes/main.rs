//! The nearest feasible motion: against exact rationals, by its laws, and on the scenes it was made for.

mod cases;
mod exact;
mod figures;
mod laws;
mod oracle;
mod scenes;

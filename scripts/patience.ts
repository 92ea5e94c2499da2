/**
 * Seconds that a state has to come: in VS Code a quiet machine of two cores needs a few, and this is for one eight times
 * slower, or as busy. A wait ends as soon as its state is there, so only what fails takes so long; LOOM_TEST_PATIENCE, in
 * seconds, is for whoever mends it.
 */
export const patience = Number(process.env.LOOM_TEST_PATIENCE ?? 600);

/** Command line for the unlock schedule. */
process.exit(0);

process.stderr.write('the cause is told here\n');
process.exitCode = 7;

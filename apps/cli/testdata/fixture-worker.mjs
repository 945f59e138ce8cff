const working = setInterval(() => undefined, 1000);
process.once('SIGTERM', () => {
  setTimeout(() => {
    process.stdout.write('finished work in hand\n');
    clearInterval(working);
    process.disconnect();
  }, 200);
});
process.once('disconnect', () => clearInterval(working));

// Last: from then on it finishes its work.
const names = Object.keys(process.env).filter((name) => name.startsWith('PLIMSOLL_'));
process.stdout.write(`started ${process.pid} with ${names.join(' ')}\n`);

// Asked by the health checks of docker-compose.yml: does this address answer 200?
const [url] = process.argv.slice(2);
const answer = await fetch(url, { signal: AbortSignal.timeout(2500) }).catch((error) => ({
  ok: false,
  status: error.message,
}));
if (!answer.ok) {
  console.error(`${url} answered ${answer.status}`);
  process.exitCode = 1;
}

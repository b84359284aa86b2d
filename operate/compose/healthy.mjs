// Health check for docker-compose.yml: succeeds if the URL returns a 2xx status.
const [url] = process.argv.slice(2);
const response = await fetch(url, { signal: AbortSignal.timeout(2500) }).catch((error) => ({
  ok: false,
  status: error.message,
}));
if (!response.ok) {
  console.error(`${url}: ${response.status}`);
  process.exitCode = 1;
}

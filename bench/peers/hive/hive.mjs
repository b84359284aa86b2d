// Hive Gateway with the sample subgraphs in one thread, on Node's HTTP server; subgraph operations are compiled, as in
// PDM.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { print } from 'graphql';

const { sampleSubgraphs, nothingSeen, NOBODY } = await import(workerData.sample);
const { localSource } = await import(workerData.localSource);

const seen = nothingSeen();
const sources = Object.fromEntries(
  sampleSubgraphs(seen, { bomLines: workerData.lines }).map((subgraph) => [subgraph.name, localSource(subgraph)]),
);
const texts = new WeakMap();
const textOf = (document) => {
  const text = texts.get(document) ?? print(document);
  texts.set(document, text);
  return text;
};
const transport = {
  getSubgraphExecutor:
    ({ subgraphName }) =>
    ({ document, variables, context }) => {
      context.sample ??= { actor: NOBODY, requestId: 'bench', signal: new AbortController().signal };
      seen.batches.length = seen.contexts.length = 0;
      return sources[subgraphName.toLowerCase()].process({
        request: { query: textOf(document), variables },
        context: context.sample,
      });
    },
};
const gateway = createGatewayRuntime({
  supergraph: workerData.supergraphSdl,
  transports: () => transport,
  logging: false,
  maskedErrors: false,
  landingPage: false,
  graphiql: false,
  healthCheckEndpoint: false,
  readinessCheckEndpoint: false,
});
const server = createServer(gateway);
server.listen(0, '127.0.0.1', () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}`));

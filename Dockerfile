# One image for all roles (PDM_ROLES). Packages come from the lock file; install scripts do not run.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image provides Node, so remove the Node packages.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node

FROM ${NODE_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates bubblewrap && rm -rf /var/lib/apt/lists/* \
  && install -d -o 10001 -g 10001 -m 0700 /data /sealing
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json tsconfig.json pdm.mjs launch.mjs ./
COPY app ./app
COPY cli ./cli
COPY README.md GLOSSARY.md SECURITY.md CHANGELOG.md ./
COPY docs ./docs
COPY embedded ./embedded
COPY gateway ./gateway
COPY http ./http
COPY operate ./operate
COPY rest-adapter ./rest-adapter
COPY scheduler ./scheduler
COPY subgraphs ./subgraphs
COPY web ./web
COPY worker-sdk ./worker-sdk
ENV NODE_ENV=production PDM_DATA_DIR=/data PDM_LOG=json
USER 10001:10001
VOLUME /data
EXPOSE 8080 8081 4001 4002 4003 4004 4005
CMD ["node", "--disable-proto=throw", "--unhandled-rejections=strict", "--max-semi-space-size=32", "--v8-pool-size=0", "app/main.ts"]

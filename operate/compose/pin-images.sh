#!/bin/sh
# Pulls the images of docker-compose.yml and Dockerfile and pins their present digests in ./.env, which Compose reads.
# A tag can be moved to another image, a digest cannot. Run it again to update the images. Needs docker or podman.
set -eu
cd "$(dirname "$0")/../.."
engine=${CONTAINER_ENGINE:-docker}
pin() {
  "$engine" pull --quiet "$2" >/dev/null
  digest=$("$engine" image inspect --format '{{index .RepoDigests 0}}' "$2")
  case $digest in *@sha256:*) ;; *) echo "$2 has no digest: $digest" >&2; exit 1 ;; esac
  printf '%s=%s\n' "$1" "$digest"
}
pins=$(
  pin NODE_IMAGE node:24-bookworm-slim
  pin MONGO_IMAGE mongo:8
  pin NATS_IMAGE nats:2.10-alpine
)
touch .env
{
  grep -vE '^(NODE|MONGO|NATS)_IMAGE=' .env || true
  printf '%s\n' "$pins"
} >.env.new
mv .env.new .env
printf '%s\n' "$pins"

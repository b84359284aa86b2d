#!/bin/sh
# Creates the credentials for docker-compose.yml in ./secrets; existing files are kept.
set -eu
cd "$(dirname "$0")/../.."
umask 077
mkdir -p secrets
random() { LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c "$1"; }
create() { [ -s "secrets/$1" ] || { cat >"secrets/$1.new" && mv "secrets/$1.new" "secrets/$1"; }; }

random 40 | create mongo-password
random 700 | create mongo-key
random 40 | create nats-token
printf 'pdm_%s_%s' "$(random 8)" "$(random 40)" | create worker-token
printf 'pdm_%s_%s' "$(random 8)" "$(random 40)" | create bootstrap-token
printf 'mongodb://pdm:%s@mongo:27017/pdm?replicaSet=rs0&authSource=admin' "$(cat secrets/mongo-password)" | create mongodb-url
printf 'nats://%s@nats:4222' "$(cat secrets/nats-token)" | create nats-url
printf 'port: 4222\nauthorization { token: "%s" }\njetstream { store_dir: /data, sync_interval: always }\n' "$(cat secrets/nats-token)" | create nats-config
# Containers use different user ids, so the files are world-readable; the folder protects them on the host.
chmod 0700 secrets
chmod 0444 secrets/*
echo "Created the credentials in ./secrets. The first administrator token is in secrets/bootstrap-token."

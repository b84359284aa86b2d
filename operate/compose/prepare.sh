#!/bin/sh
# Writes the credentials that docker-compose.yml names into ./secrets; what is there already stays.
set -eu
cd "$(dirname "$0")/../.."
umask 077
mkdir -p secrets
letters() { LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c "$1"; }
keep() { [ -s "secrets/$1" ] || { cat >"secrets/$1.new" && mv "secrets/$1.new" "secrets/$1"; }; }

letters 40 | keep mongo-password
letters 700 | keep mongo-key
letters 40 | keep nats-token
printf 'pdm_%s_%s' "$(letters 8)" "$(letters 40)" | keep worker-token
printf 'pdm_%s_%s' "$(letters 8)" "$(letters 40)" | keep bootstrap-token
printf 'mongodb://pdm:%s@mongo:27017/pdm?replicaSet=rs0&authSource=admin' "$(cat secrets/mongo-password)" | keep mongodb-url
printf 'nats://%s@nats:4222' "$(cat secrets/nats-token)" | keep nats-url
printf 'port: 4222\nauthorization { token: "%s" }\njetstream { store_dir: /data, sync_interval: always }\n' "$(cat secrets/nats-token)" | keep nats-config
# the containers run as user 10001 and nats as another one: the folder keeps strangers out, the files are for them
chmod 0700 secrets
chmod 0444 secrets/*
echo "The credentials are in ./secrets. The administrator's first token: secrets/bootstrap-token"

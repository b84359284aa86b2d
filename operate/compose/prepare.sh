#!/bin/sh
# Creates the credentials for docker-compose.yml in ./secrets. Existing passwords and tokens are kept; files that are
# derived from them are written again.
set -eu
cd "$(dirname "$0")/../.."
umask 077
mkdir -p secrets
random() { LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c "$1"; }
write() { cat >"secrets/$1.new" && mv -f "secrets/$1.new" "secrets/$1"; }
create() { [ -s "secrets/$1" ] || write "$1"; }
read_secret() { cat "secrets/$1"; }
mongodb_url() { printf 'mongodb://%s:%s@mongo:27017/pdm?replicaSet=rs0&authSource=%s' "$1" "$2" "$3"; }

random 40 | create mongo-password
random 700 | create mongo-key
mongodb_url pdm "$(read_secret mongo-password)" admin | create mongodb-url-admin
for part in api subgraphs sweeps; do mongodb_url "pdm-$part" "$(random 40)" pdm | create "mongodb-url-$part"; done

for user in service scheduler events; do random 40 | create "nats-password-$user"; done
nats_url() { printf 'nats://%s:%s@nats:4222' "$1" "$(read_secret "nats-password-$1")"; }
nats_url service | write nats-url
nats_url scheduler | write nats-url-scheduler
nats_url events | write nats-url-events
{
  for user in service scheduler events; do printf '%s_password: "%s"\n' "$user" "$(read_secret "nats-password-$user")"; done
  printf 'port: 4222\njetstream { store_dir: /data, sync_interval: always }\n'
  cat operate/nats-users.conf
} | write nats-config

printf 'pdm_%s_%s' "$(random 8)" "$(random 40)" | create worker-token
printf 'pdm_%s_%s' "$(random 8)" "$(random 40)" | create bootstrap-token
# Credentials of earlier versions, which every container could use.
rm -f secrets/mongodb-url secrets/nats-token
# Containers use different user ids, so the files are world-readable; the folder protects them on the host.
chmod 0700 secrets
chmod 0444 secrets/*
echo "Created the credentials in ./secrets. The first administrator token is in secrets/bootstrap-token."

# One image for every app of the service: docker-compose.yml chooses the app of a container. A second one for
# Caddy.

# TLS for the Compose profile "tls". The program is copied to remove its file capability, with which it would
# not start if capabilities are dropped.
FROM caddy:2-alpine@sha256:ad27e531c8b286ff153c0e6e16587a1583e4111bb58c4d83bd73d6d3ef0a0ce1 AS caddy
RUN cp /usr/bin/caddy /usr/bin/caddy.new && mv /usr/bin/caddy.new /usr/bin/caddy \
  && install -d -o 1000 -g 1000 -m 0700 /data /data/caddy
COPY Caddyfile /etc/caddy/Caddyfile
USER 1000

FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc bootstrap.mjs turbo.json tsconfig.json prisma.config.ts CHANGELOG.md ./
COPY tools ./tools
COPY prisma ./prisma
COPY packages ./packages
COPY apps ./apps
# No package needs its install script, so none is run.
RUN npm ci --ignore-scripts && npm run build
# The embedded PostgreSQL, an optional package, is only for `npm start`.
RUN npm prune --omit=dev --omit=optional --ignore-scripts
# The bundles contain our own packages; in node_modules only links to them are left.
RUN rm -rf node_modules/@plimsoll node_modules/.cache \
  && mkdir /runtime \
  && cp -a --parents package.json node_modules prisma/migrations prisma/sql apps /runtime \
  && rm -rf /runtime/apps/*/src \
  && ln -sf ../../apps/cli/bin/plimsoll.mjs /runtime/node_modules/.bin/plimsoll

FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
# As mallocSettings in packages/model: glibc keeps less freed memory.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=2097152 MALLOC_TRIM_THRESHOLD_=4194304
WORKDIR /app
# Owned by root, and therefore read-only for the user it runs as.
COPY --from=build /runtime ./
ENV PATH="/app/node_modules/.bin:${PATH}"
# Mount points of docker-compose.yml's volumes: an empty volume takes owner and mode of its mount point.
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/plimsoll/sealing-keys \
  && install --directory --owner=node --group=node --mode=0755 /var/lib/plimsoll/sealing-public-key \
  && install --directory --owner=node --group=node --mode=0700 /var/lib/plimsoll/database \
    /var/lib/plimsoll/backups /var/lib/plimsoll/migration-backups /var/lib/plimsoll/downloads /var/lib/plimsoll/audit /var/lib/plimsoll/notification-keys \
    /var/lib/plimsoll/role-passwords/api /var/lib/plimsoll/role-passwords/report-worker \
    /var/lib/plimsoll/role-passwords/advisory-worker /var/lib/plimsoll/role-passwords/ssh-worker \
    /var/lib/plimsoll/role-passwords/scheduler \
    /var/lib/plimsoll/role-passwords/notify-worker /var/lib/plimsoll/role-passwords/cli
USER node
CMD ["plimsoll", "--help"]

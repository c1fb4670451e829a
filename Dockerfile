# The service as an image. Sources run as they are: there is nothing to build. The base is named by digest, of Node 24.18
# for all platforms; docs/scale.md says how a newer one is looked up, which NODE_IMAGE then names.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production MALLOC_TRIM_THRESHOLD_=1048576 MALLOC_MMAP_THRESHOLD_=32768 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json server.json ./
COPY src src
COPY auth auth
COPY tools tools
COPY well-known well-known
COPY skills skills
COPY docs/guides docs/guides
RUN install -d -o node -g node -m 0700 /data
# All that is written is below /data: the rest may be mounted read-only.
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--require=./src/node-version.cjs", "--max-semi-space-size=4", "--min-semi-space-size=4", "--heap-growing-percent=60", "--no-wasm-code-gc", "--liftoff-only", "src/main.ts"]

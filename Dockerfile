# docs/operations.md, "In a container", says how to run it.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install script runs: the runtime is that of the image.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim AS page
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src src
COPY client client
COPY dashboard dashboard
COPY packaging packaging
COPY test/support/gateway-document.ts test/support/gateway-document.ts
RUN node packaging/prepare.ts

FROM node:24-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY src src
COPY --from=page /app/dashboard/dist dashboard/dist
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
# In a container, loopback is that of the container: publish the port on 127.0.0.1 of the host alone.
ENV NODE_ENV=production APP_DATA_DIR=/data APP_HOST=0.0.0.0
EXPOSE 8420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8420/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "src/main.ts"]

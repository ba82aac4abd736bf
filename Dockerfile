# Built from a clone: docker build -t gatehouse .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Two layers: what the code can load of its dependencies, and the code (`bin/image.ts`).
RUN npm run build && npm run image -- --output=/image

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir -m 0700 /data && chown node:node /data
COPY --from=build /image/dependencies ./
COPY --from=build /image/code ./
USER node
VOLUME /data
EXPOSE 3333
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3333}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "bin/launch.js", "serve"]

FROM node:26-bookworm-slim
WORKDIR /holdfast
COPY package.json package-lock.json .npmrc ./
# The service needs no development packages; its native module ships prebuilt.
RUN npm ci --omit=dev
# The service runs on the exact Node of package-lock.json, whose hash npm has checked.
ENV PATH=/holdfast/node_modules/.bin:$PATH
COPY service ./service
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8300
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:8300/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# DATABASE_URL or DATABASE_URL_FILE, when set, takes the place of the SQLite database here.
ENV DATA_DIR=/data
CMD ["node", "--max-semi-space-size=12", "--heap-growing-percent=60", "service/main.ts", "--port", "8300", "--host", "0.0.0.0"]

// The server of boardgame.io with storage in memory. It reports CPU time and memory over IPC, and ends with its parent.
const { Server, Origins } = require("boardgame.io/server");
const { Game } = require("./game.cjs");

const server = Server({ games: [Game], origins: [Origins.LOCALHOST, /.*/] });
server.run({ port: Number(process.env.PORT) }, () => process.send({ ready: true }));
process.on("message", ({ id, collect }) => {
  if (collect) {
    global.gc();
    global.gc();
  }
  process.send({ id, cpu: process.cpuUsage(), memory: process.memoryUsage() });
});
process.on("disconnect", () => process.exit(0));

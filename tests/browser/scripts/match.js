// Plays a short match against bots over the page's own connection; the id of its record.
async () => {
  const headers = { "Content-Type": "application/json" };
  const post = async (path, body) => (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const settings = { edition: "nichtig", players: 3, seats: ["open", "random", "random"], options: { length: { target: 1 } } };
  await post("/api/guest", { name: "Ann" });
  const { table } = await post("/api/tables", { settings });
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws/${table}`);
  let view = {};
  let ids = 0;
  const send = (message) => socket.send(JSON.stringify({ ...message, id: `t${++ids}` }));
  await new Promise((over) => {
    socket.onopen = () => {
      send({ do: "hello" });
      send({ do: "sit", name: "Ann" });
    };
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if (told.type === "welcome") view = told.view;
      if (told.type === "told") view = { ...view, ...told.view, game: { ...(told.view.game ?? view.game), ...told.game } };
      if (view.status === "over") over();
      else if (view.decision != null && view.game?.legal?.length) send({ do: "act", action: view.game.legal[0], decision: view.decision });
    };
  });
  socket.close();
  for (;;) {
    const { records } = await (await fetch("/api/records")).json();
    if (records.length > 0) return records[0].id;
    await new Promise((later) => setTimeout(later, 50));
  }
};

// Opens a table whose seats are all free, as the visitor; its id.
async ([edition, players]) => {
  const headers = { "Content-Type": "application/json" };
  const post = (path, body) => fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  await post("/api/guest", { name: "Ann" });
  const opened = await post("/api/tables", { settings: { edition, players, hints: true } });
  return (await opened.json()).table;
};

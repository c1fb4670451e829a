/** How to connect one assistant: in words, and by a link or a command where its vendor documents one. */
export interface SetUp {
  readonly name: string;
  readonly steps: string;
  /** Opens the assistant and asks it to add the server. */
  readonly link?: string;
  /** The same from a page that lets no link leave the web, such as a README. */
  readonly webLink?: string;
  readonly command?: string;
  /** The entry in its settings file. */
  readonly settings?: string;
  /** The assistant connects from its vendor's servers. */
  readonly needsPublicAddress?: true;
}

/** The name of the server in clients. */
const NAME = "receivables";

/** The common assistants, each in the form its public documentation gives; `mcpUrl` is the address to connect to. */
export function setUps(mcpUrl: string): readonly SetUp[] {
  const entry = JSON.stringify({ name: NAME, type: "http", url: mcpUrl });
  const config = JSON.stringify({ type: "http", url: mcpUrl });
  const cursor = Buffer.from(JSON.stringify({ url: mcpUrl })).toString("base64");
  return [
    {
      name: "Claude",
      steps: "Settings, Connectors, Add custom connector: give it the address.",
      needsPublicAddress: true,
    },
    {
      name: "ChatGPT",
      steps: "Settings, Connectors, Advanced: switch Developer mode on. Then Create, and give it the address.",
      needsPublicAddress: true,
    },
    {
      name: "Claude Code",
      steps: "In a terminal, then /mcp to sign in:",
      command: `claude mcp add --transport http ${NAME} ${mcpUrl}`,
    },
    {
      name: "VS Code",
      steps: "Click, or in a terminal:",
      link: `vscode:mcp/install?${encodeURIComponent(entry)}`,
      webLink: `https://vscode.dev/redirect/mcp/install?name=${NAME}&config=${encodeURIComponent(config)}`,
      command: `code --add-mcp '${entry}'`,
    },
    {
      name: "Cursor",
      steps: "Click, or in mcp.json:",
      webLink: `https://cursor.com/en/install-mcp?name=${NAME}&config=${encodeURIComponent(cursor)}`,
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(cursor)}`,
      settings: JSON.stringify({ mcpServers: { [NAME]: { url: mcpUrl } } }),
    },
    {
      name: "Inspector",
      steps: "To look at the tools, in a terminal:",
      command: `npx @modelcontextprotocol/inspector --cli ${mcpUrl} --transport http --method tools/list`,
    },
    {
      name: "Any other",
      steps:
        "It takes the address as a remote server over Streamable HTTP. One that only starts local servers takes this \
command:",
      command: `npx mcp-remote ${mcpUrl}`,
    },
  ];
}

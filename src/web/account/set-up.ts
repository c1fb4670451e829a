/** How people of one assistant connect it: in words, and by a link or a command where its makers document one. */
export interface SetUp {
  readonly name: string;
  readonly steps: string;
  /** Opens the assistant and asks it to add the server. */
  readonly link?: string;
  readonly command?: string;
  /** What a file of its settings says. */
  readonly settings?: string;
  /** Whether the assistant's makers reach the server from their own machines. */
  readonly needsPublicAddress?: true;
}

/** What the server is called in people's lists of servers. */
const NAME = "receivables";

/** The common assistants, each in the form its public documentation gives; `mcpUrl` is the address to connect to. */
export function setUps(mcpUrl: string): readonly SetUp[] {
  const entry = JSON.stringify({ name: NAME, type: "http", url: mcpUrl });
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
      command: `code --add-mcp '${entry}'`,
    },
    {
      name: "Cursor",
      steps: "Click, or in mcp.json:",
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
        "It takes the address as a remote server over Streamable HTTP. One that starts local servers alone takes this command:",
      command: `npx mcp-remote ${mcpUrl}`,
    },
  ];
}

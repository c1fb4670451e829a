const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#1f4e79"/><path d="M12 22h6v14h-6zm9-8h6v22h-6zm9 14h6v8h-6z" fill="#fff"/></svg>`;

/** The same as PNG, for clients without SVG. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAMAAABg3Am1AAAANlBMVEUfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnkfTnn" +
  "///9DVpREAAAAEnRSTlMAECAwQFBgcICPn6+/z9/v//89JbHXAAAAcklEQVR42u2WsQqAMAwFsyRDAyH+/89KS9WhoN4givTmd/CmvIg0zCNPCTc50It0d3TLl7xJgfl" +
  "uaAJqqyBCiFgiTJwJzhrVTgn5r7A0pvCSsOemgITRnMLzwkcOGT73eFDwZOFR5LOLh52/Dvw5Qe/PCgibi6mr88TyAAAAAElFTkSuQmCC";

/** The icon as files. */
export const ICON_FILES = { svg: SVG, png: Buffer.from(PNG, "base64") };

/** The server's icon, only in the implementation info, where it costs no tokens; embedded, so no request is made. */
export const ICONS = [
  {
    src: `data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}`,
    mimeType: "image/svg+xml",
    sizes: ["any"],
  },
  { src: `data:image/png;base64,${PNG}`, mimeType: "image/png", sizes: ["48x48"] },
];

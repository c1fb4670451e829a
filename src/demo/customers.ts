/** A customer of one of the demo's companies: its name, whom to ask there, and the domain of its email. */
export interface DemoCustomer {
  readonly name: string;
  readonly contact: string;
  readonly domain: string;
}

/** Customers out of lines of a name, a contact and a domain. */
function customers(lines: string): readonly DemoCustomer[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", contact = "", domain = ""] = line.split("|").map((part) => part.trim());
      return { name, contact, domain };
    });
}

/** Of a wholesaler in the north-east of the United States; every sixth is in Canada. */
export const AMERICAN_CUSTOMERS = customers(`
Harborview Hardware Co.        | Megan Doyle       | harborviewhardware
Redwood Building Supply        | Carlos Mendes     | redwoodsupply
Keystone Restaurant Group      | Tanya Brooks      | keystonerestaurants
Blue Mesa Outfitters           | Ryan Castillo     | bluemesa
Lakeshore Medical Partners     | Denise Fowler     | lakeshoremedical
Okanagan Orchard Supply        | Heather MacLeod   | okanaganorchard
Pioneer Valley Brewing         | Nate Sullivan     | pioneervalleybrewing
Summit Ridge Hotels            | Alicia Romero     | summitridge
Granite State Electric         | Paul Lavoie       | granitestateelectric
Ironwood Fabrication           | Greg Novak        | ironwoodfab
Bayfront Grocers               | Sofia Alvarez     | bayfrontgrocers
Chinook Sporting Goods         | Dylan Tremblay    | chinooksport
Old Mill Furniture             | Kate Brennan      | oldmillfurniture
Crescent City Catering         | Marcus Thibodeaux | crescentcatering
Pine Hollow Schools            | Joan Whitaker     | pinehollowschools
Silverline Auto Parts          | Omar Haddad       | silverlineauto
Evergreen Landscaping          | Beth Lindqvist    | evergreenland
St. Lawrence Tool & Die        | Isabelle Roy      | stlawrencetool
Beacon Street Books            | Priya Raman       | beaconstreetbooks
Cedar Point Marina             | Tom Gallagher     | cedarpointmarina
Copperfield Kitchens           | Laura Finch       | copperfieldkitchens
Midtown Fitness Clubs          | Andre Coleman     | midtownfitness
Sandstone Property Management  | Yvonne Park       | sandstonepm
Rideau Office Interiors        | Martin Gagnon     | rideauoffice
Whitcomb & Hale Architects     | Eleanor Hale      | whitcombhale
Tri-County Farm Supply         | Wade Jensen       | tricountyfarm
Liberty Print Works            | Gloria Mancini    | libertyprint
Northgate Veterinary           | Samir Patel       | northgatevet
Stonebridge Construction       | Rachel Stone      | stonebridgebuild
Kootenay Timber Frames         | Ian Fraser        | kootenaytimber
`);

export const CANADIAN_CUSTOMERS = customers(`
Maple Ridge Outfitters         | Claire Bouchard   | mapleridge
Laurentian Paperworks          | Étienne Caron     | laurentianpaper
Prairie Grain Co-op            | Doug Friesen      | prairiegrain
Halifax Marine Supply          | Shauna MacDonald  | halifaxmarine
Vieux-Port Bistros             | Amélie Gauthier   | vieuxport
Bow River Mechanical           | Kyle Sandhu       | bowrivermech
`);

/** Of a food producer in Switzerland; every third is in the euro area. */
export const SWISS_CUSTOMERS = customers(`
Gasthof Sonne Thun             | Ursula Gerber     | gasthof-sonne
Bergbahn Restaurants AG        | Reto Zgraggen     | bergbahn-restaurants
Feinkost Lindner München       | Sabine Lindner    | feinkost-lindner
Käserei Oberland               | Hans Aebischer    | kaeserei-oberland
Zürich Gastro Service          | Nadja Frei        | zh-gastro
Brot & Söhne Freiburg          | Markus Söhne      | brotundsoehne
Hotel Edelweiss Zermatt        | Corinne Julen     | edelweiss-zermatt
Dorfladen Wengen               | Peter Abegglen    | dorfladen-wengen
Rhône Primeurs                 | Camille Perrin    | rhone-primeurs
Confiserie Lötschberg          | Daniela Ritler    | loetschberg
Kantine Limmatquai             | Stefan Huber      | limmatquai
Lago Alimentari                | Giulia Ferraro    | lago-alimentari
Reformhaus Morgentau           | Esther Widmer     | morgentau
Spital Seeblick Verpflegung    | Andrea Stucki     | spital-seeblick
Alpenküche Innsbruck           | Lukas Mair        | alpenkueche
Chäs-Egge Bern                 | Simon Lüthi       | chaes-egge
Bistro du Léman                | Élodie Favre      | bistro-leman
Markthalle Stuttgart Nord      | Jürgen Vogel      | markthalle-nord
Schulmensa Uster               | Barbara Keller    | mensa-uster
Grotto Ticinese                | Paolo Bernasconi  | grotto-ticinese
Épicerie des Vosges            | Laurent Muller    | epicerie-vosges
Catering Rosengarten           | Monika Baumann    | rosengarten-catering
Seeteufel Luzern               | Adrian Bucher     | seeteufel
Gastrohaus Bodensee            | Katrin Weber      | gastrohaus-bodensee
`);

export const TRADE_CUSTOMERS = customers(`
Delikatessen Hofbauer          | Eva Hofbauer      | hofbauer-delikatessen
Les Halles de Lyon Traiteur    | Mathieu Girard    | halles-traiteur
Biomarkt Karlsruhe             | Anja Krämer       | biomarkt-ka
Salumeria Porta Nuova          | Marco Villa       | porta-nuova
`);

"""Makes small PDFs for tests."""


def make_pdf(*pages: list[str], stamp: str = "", title: str = "", author: str = "") -> bytes:
    """Make a PDF whose pages have these lines, each in smaller type than the one before, and a stamp at the margin."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = " ".join(
            f"/F1 {24 - 6 * place} Tf 72 {700 - 40 * place} Td ({text}) Tj" for place, text in enumerate(lines)
        )
        stream = f"q 0 1 -1 0 30 200 cm BT /F1 40 Tf ({stamp}) Tj ET Q BT {shown} ET"
        kids.append(f"{len(objects) + 2} 0 R")
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        font = "/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]"
        objects.append(f"<< /Type /Page /Parent 2 0 R /Contents {len(objects)} 0 R {font} >>")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(f"<< /Title ({title}) /Author ({author}) >>")
    body = "".join(f"{number} 0 obj\n{text}\nendobj\n" for number, text in enumerate(objects, start=1))
    trailer = f"trailer << /Root 1 0 R /Info {len(objects)} 0 R /Size {len(objects) + 1} >>"
    return f"%PDF-1.4\n{body}{trailer}\nstartxref\n0\n%%EOF\n".encode()

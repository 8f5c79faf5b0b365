/** The site's operator, from build variables. */
export function OperatorDetails() {
  const {
    VITE_OPERATOR_NAME: name,
    VITE_OPERATOR_ADDRESS: address,
    VITE_OPERATOR_EMAIL: email,
  } = import.meta.env;
  if (!name) return <p>The operator of this site hasn't entered their name and address yet.</p>;
  return (
    <address className="not-italic">
      <p>{name}</p>
      {address && <p className="whitespace-pre-line">{address}</p>}
      {email && (
        <p>
          <a href={`mailto:${email}`} className="link">
            {email}
          </a>
        </p>
      )}
    </address>
  );
}
